/* What is found, counted and compared in ranges. */
#pragma once

#include <cuda/std/iterator>
#include <warpfork/standard/language.h>

#include <functional>

WARPFORK_LINES_OF_CALLERS
namespace cuda::std {

template <class Iterator, class Asks>
constexpr Iterator find_if(Iterator first, Iterator last, Asks asks) {
  while (first != last && !asks(*first)) ++first;
  return first;
}
template <class Iterator, class Asks>
constexpr Iterator find_if_not(Iterator first, Iterator last, Asks asks) {
  while (first != last && asks(*first)) ++first;
  return first;
}
template <class Iterator, class T>
constexpr Iterator find(Iterator first, Iterator last, const T& value) {
  while (first != last && !(*first == value)) ++first;
  return first;
}
template <class Iterator, class Asks>
constexpr bool all_of(Iterator first, Iterator last, Asks asks) {
  return std::find_if_not(first, last, asks) == last;
}
template <class Iterator, class Asks>
constexpr bool any_of(Iterator first, Iterator last, Asks asks) {
  return std::find_if(first, last, asks) != last;
}
template <class Iterator, class Asks>
constexpr bool none_of(Iterator first, Iterator last, Asks asks) {
  return std::find_if(first, last, asks) == last;
}
template <class Iterator, class Does>
constexpr Does for_each(Iterator first, Iterator last, Does does) {
  for (; first != last; ++first) does(*first);
  return does;
}
template <class Iterator, class Asks>
constexpr auto count_if(Iterator first, Iterator last, Asks asks) {
  typename ::std::iterator_traits<Iterator>::difference_type found = 0;
  for (; first != last; ++first) found += asks(*first) ? 1 : 0;
  return found;
}
template <class Iterator, class T>
constexpr auto count(Iterator first, Iterator last, const T& value) {
  typename ::std::iterator_traits<Iterator>::difference_type found = 0;
  for (; first != last; ++first) found += *first == value ? 1 : 0;
  return found;
}
template <class Iterator, class Other, class Equal = ::std::equal_to<>>
constexpr bool equal(Iterator first, Iterator last, Other other, Equal are_equal = {}) {
  for (; first != last; ++first, ++other)
    if (!are_equal(*first, *other)) return false;
  return true;
}
template <class Iterator, class Other, class Less = ::std::less<>>
constexpr bool lexicographical_compare(Iterator first, Iterator last, Other other, Other end, Less less = {}) {
  for (; first != last && other != end; ++first, ++other) {
    if (less(*first, *other)) return true;
    if (less(*other, *first)) return false;
  }
  return first == last && other != end;
}

/* Of a range in order. */
template <class Iterator, class Less = ::std::less<>>
constexpr bool is_sorted(Iterator first, Iterator last, Less less = {}) {
  if (first == last) return true;
  for (Iterator before = first; ++first != last; before = first)
    if (less(*first, *before)) return false;
  return true;
}
template <class Iterator, class Asks>
constexpr Iterator partition_point(Iterator first, Iterator last, Asks asks) {
  for (auto count = ::std::distance(first, last); count > 0;) {
    const auto half = count / 2;
    const Iterator middle = ::std::next(first, half);
    if (asks(*middle)) {
      first = ::std::next(middle);
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}
template <class Iterator, class T, class Less = ::std::less<>>
constexpr Iterator lower_bound(Iterator first, Iterator last, const T& value, Less less = {}) {
  return std::partition_point(first, last, [&](const auto& element) { return less(element, value); });
}
template <class Iterator, class T, class Less = ::std::less<>>
constexpr Iterator upper_bound(Iterator first, Iterator last, const T& value, Less less = {}) {
  return std::partition_point(first, last, [&](const auto& element) { return !less(value, element); });
}
template <class Iterator, class T, class Less = ::std::less<>>
constexpr bool binary_search(Iterator first, Iterator last, const T& value, Less less = {}) {
  first = std::lower_bound(first, last, value, less);
  return first != last && !less(value, *first);
}

}  // namespace cuda::std
WARPFORK_LINES_OF_FUNCTIONS
