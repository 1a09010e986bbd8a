/* Text that depends on answers of 0 or 1. */
#pragma once

#define WARPFORK_PASTE(left, right) WARPFORK_PASTED(left, right)
#define WARPFORK_PASTED(left, right) left##right
#define WARPFORK_SECOND(...) WARPFORK_SECOND_OF(__VA_ARGS__, ~)
#define WARPFORK_SECOND_OF(first, second, ...) second

/* 1 if it becomes `~, 1`. */
#define WARPFORK_ANSWER(probe) WARPFORK_SECOND(probe, 0)

/* Without the parentheses around it, if there are any. */
#define WARPFORK_BODY(body) WARPFORK_PASTE(WARPFORK_BODY_, WARPFORK_ANSWER(WARPFORK_PARENTHESES body))(body)
#define WARPFORK_PARENTHESES(...) ~, 1
#define WARPFORK_BODY_0(body) body
#define WARPFORK_BODY_1(body) WARPFORK_BETWEEN body
#define WARPFORK_BETWEEN(...) __VA_ARGS__

/* The body, and nothing of the arguments that follow, or else the next macro, which they are for: it is none that is
   being expanded. */
#define WARPFORK_CASE(query) WARPFORK_PASTE(WARPFORK_CASE_, query)
#define WARPFORK_CASE_1(body, next) {WARPFORK_BODY(body)} WARPFORK_NOTHING
#define WARPFORK_CASE_0(body, next) next
#define WARPFORK_NOTHING(...)

#define WARPFORK_IF_TARGET(query, body, otherwise, ...) WARPFORK_CASE(query)(body, WARPFORK_OTHERWISE)(otherwise)
#define WARPFORK_OTHERWISE(body) \
  { WARPFORK_BODY(body) }

/* Queries and bodies in turn, of which the last query holds. */
#define WARPFORK_CASES_16(query, body, ...) WARPFORK_CASE(query)(body, WARPFORK_CASES_15)(__VA_ARGS__)
#define WARPFORK_CASES_15(query, body, ...) WARPFORK_CASE(query)(body, WARPFORK_CASES_14)(__VA_ARGS__)
#define WARPFORK_CASES_14(query, body, ...) WARPFORK_CASE(query)(body, WARPFORK_CASES_13)(__VA_ARGS__)
#define WARPFORK_CASES_13(query, body, ...) WARPFORK_CASE(query)(body, WARPFORK_CASES_12)(__VA_ARGS__)
#define WARPFORK_CASES_12(query, body, ...) WARPFORK_CASE(query)(body, WARPFORK_CASES_11)(__VA_ARGS__)
#define WARPFORK_CASES_11(query, body, ...) WARPFORK_CASE(query)(body, WARPFORK_CASES_10)(__VA_ARGS__)
#define WARPFORK_CASES_10(query, body, ...) WARPFORK_CASE(query)(body, WARPFORK_CASES_9)(__VA_ARGS__)
#define WARPFORK_CASES_9(query, body, ...) WARPFORK_CASE(query)(body, WARPFORK_CASES_8)(__VA_ARGS__)
#define WARPFORK_CASES_8(query, body, ...) WARPFORK_CASE(query)(body, WARPFORK_CASES_7)(__VA_ARGS__)
#define WARPFORK_CASES_7(query, body, ...) WARPFORK_CASE(query)(body, WARPFORK_CASES_6)(__VA_ARGS__)
#define WARPFORK_CASES_6(query, body, ...) WARPFORK_CASE(query)(body, WARPFORK_CASES_5)(__VA_ARGS__)
#define WARPFORK_CASES_5(query, body, ...) WARPFORK_CASE(query)(body, WARPFORK_CASES_4)(__VA_ARGS__)
#define WARPFORK_CASES_4(query, body, ...) WARPFORK_CASE(query)(body, WARPFORK_CASES_3)(__VA_ARGS__)
#define WARPFORK_CASES_3(query, body, ...) WARPFORK_CASE(query)(body, WARPFORK_CASES_2)(__VA_ARGS__)
#define WARPFORK_CASES_2(query, body, ...) WARPFORK_CASE(query)(body, WARPFORK_CASES_1)(__VA_ARGS__)
#define WARPFORK_CASES_1(query, body, ...) WARPFORK_CASE(query)(body, WARPFORK_CASES_0)(__VA_ARGS__)
#define WARPFORK_CASES_0(...) static_assert(false, "more than 15 cases");
