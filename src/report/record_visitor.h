// What a record's visit() says of each key, and what a visitor may make of it.
#pragma once

namespace warpfork::report {

/// A record is a struct that names its fields: `template <class Visitor> void visit(Visitor&& v)`, one line a key, in
/// the order in which results write them. Verbs, each with name, value, unit and definition:
///
///   fact      of one launch, as the number of threads: sums leave it out
///   count     is added up over launches, cores or branches: a number or an array of them
///   largest   of several it is the largest
///   rate      follows from counts, and of sums from the sums
///   note      follows from facts: sums leave it out
/// Without unit:
///   group     a record within this one; left out where it has an empty() that holds. `nullable`: null is written then
///   list      records, as many as there are; sums leave them out
///   mark      a text of which results say only that there is one
/// With the name alone:
///   hidden    what rates and notes are formed from: read back, summed, and not in results
///
/// Visitors derive from this one, which does nothing, and say what they do of which verb. There are: record_json.h
/// writes and reads, record_sum.h adds and subtracts, and tests/unit/report/record_documents.h checks schema and
/// documentation.
struct RecordVisitor {
  template <class... Any>
  void fact(Any&&...) {}
  template <class... Any>
  void count(Any&&...) {}
  template <class... Any>
  void largest(Any&&...) {}
  template <class... Any>
  void rate(Any&&...) {}
  template <class... Any>
  void note(Any&&...) {}
  template <class... Any>
  void group(Any&&...) {}
  template <class... Any>
  void nullable(Any&&...) {}
  template <class... Any>
  void list(Any&&...) {}
  template <class... Any>
  void mark(Any&&...) {}
  template <class... Any>
  void hidden(Any&&...) {}
};

}  // namespace warpfork::report
