import { valueTable } from "./support.ts"

valueTable("standard fields", [
  ["rating", 4.5],
  ["rating * 2 + review_count / 10", 21],
  ["\trating\n *\r\n2 ", 9],
  ["city", 0],
  ["postal_code + 1", 10116],
  ["tags + 1", 4],
])

valueTable("a missing field is 0 and an empty text", [
  ["longitude", 0],
  ["longitude == 0", 1],
  ["longitude ? 1 : 2", 2],
  ["phone", 0],
  ['phone == ""', 1],
  ["phone && 1", 0],
  ["len(phone)", 0],
  ["attr_missing", 0],
  ['attr_missing == ""', 1],
  ['"" == attr_missing', 1],
  ["attr_missing == attr_other", 1],
  ["attr_missing == phone", 1],
  ["len(attr_missing)", 0],
  ["attr_nothing", 0],
  ['attr_nothing == ""', 1],
])

valueTable("text", [
  ['"12" + 1', 13],
  ["'12' * '2'", 24],
  ['" 3.5 "', 3.5],
  ['"-1e2"', -100],
  ['"+4"', 4],
  ['"12abc"', 0],
  ['"0x10"', 0],
  ['"0b11" + "0o7"', 0],
  ['"1e999"', 0],
  ["city ? 1 : 2", 1],
  ['"0" ? 1 : 2', 1],
  ['"" ? 1 : 2', 2],
  ["attr_zero_text ? 1 : 2", 1],
  ["attr_empty_text ? 1 : 2", 2],
  ['"a" && "b"', 1],
  ['"10" > "9"', 1],
  ["attr_digits * 2", 85],
])

valueTable("equality", [
  ['city == "Berlin"', 1],
  ['city == "berlin"', 0],
  ['"Berlin" == city', 1],
  ['city != "Berlin"', 0],
  ['name == "Café Zoë"', 1],
  ['"1" == "1.0"', 0],
  ['"1" == 1', 1],
  ['1 == "1.0"', 1],
  ['"abc" == 0', 1],
  ['attr_digits == "42.5"', 0],
  ["attr_digits == 42.5", 1],
  ['rating == "4.5"', 1],
  ["attr_yes == 1", 1],
  ["attr_yes == (2 > 1)", 1],
  ['attr_yes == "1"', 1],
  ["tags == 3", 1],
  ["tags == tags", 1],
  ['tags == "VIP"', 0],
  ['tags != "VIP"', 1],
  ['attr_hollow == ""', 0],
  ['attr_hollow != ""', 1],
  ["attr_langs == tags", 1],
  ["attr_company == 0", 1],
  ["attr_missing == attr_none", 1],
  ['(rating > 4 ? "hot" : "cold") == "hot"', 1],
  ['(rating > 5 ? "hot" : 3) == 3', 1],
  ['(rating > 4 ? "hot" : 3) == "hot"', 1],
])

valueTable("bools, lists and objects", [
  ["attr_yes + attr_yes", 2],
  ["attr_yes ? 5 : 6", 5],
  ["attr_langs ? 1 : 2", 1],
  ["attr_none ? 1 : 2", 2],
  ["attr_company ? 1 : 2", 1],
  ["attr_hollow ? 1 : 2", 2],
  ["attr_company && attr_langs", 1],
  ["attr_hollow || attr_none", 0],
  ["1 > 0 ? tags : 7", 3],
  ["1 > 0 ? rating > 4 : 7", 1],
])

valueTable("names of attributes", [
  ["attr_budget", 2500.5],
  ["attr_größe_2", 7],
  ["attr_会社 + 1", 9],
  ["attr_2nd", 9],
  ["attr_Budget", 0],
  ["attr_attr_budget", 0],
])

valueTable("contains(text, part)", [
  ['contains(city, "ber")', 1],
  ['contains(city, "BERLIN")', 1],
  ['contains("Example", city)', 0],
  ['contains(email, "@example.")', 1],
  ['contains(name, "ZOË")', 1],
  ['contains(name, "cafe\u0301")', 1],
  ['contains(city, "")', 0],
  ["contains(city, phone)", 0],
  ['contains(attr_tier, "OLD")', 1],
  ["contains(postal_code, 11)", 1],
  ["contains(attr_budget, 2500)", 1],
  ['contains(tags, "vip")', 1],
  ['contains(tags, "vi")', 0],
  ['contains(attr_company, "Bonn")', 0],
  ['contains(city, "e") + contains(city, "r") + contains(city, "x")', 2],
])

valueTable("has(list, item)", [
  ['has(tags, "vip")', 1],
  ['has(tags, "vi")', 0],
  ['has(tags, "STRASSE")', 0],
  ['has(tags, "straße")', 1],
  ['has(tags, "")', 0],
  ['has(attr_langs, "DE")', 1],
  ["has(attr_langs, 5)", 1],
  ['has(attr_tier, "gold")', 0],
  ['has(attr_company, "size")', 0],
  ['has(tags, "vip") ? 10 : 0', 10],
  ['0 && has(tags, "vip") || has(tags, "b2b")', 1],
])

valueTable("len(x)", [
  ["len(city)", 6],
  ["len(description)", 11],
  ['len("😀")', 1],
  ["len(tags)", 3],
  ["len(attr_company)", 2],
  ["len(attr_budget)", 0],
])

valueTable("days_since(time)", [
  ["days_since(created_at)", 10],
  ["days_since(updated_at)", 0.5],
  ["days_since(last_interaction_at)", -1],
  ["days_since(attr_seen)", 3],
  ["days_since(longitude)", 0],
  ["days_since(max(created_at, updated_at))", 0.5],
  ["days_since(created_at) < 30 ? 20 : 0", 20],
])

valueTable("text literals", [
  [`"it's" == 'it\\'s'`, 1],
  [`'say "hi"' == "say \\"hi\\""`, 1],
  [`"a\\\\b" == 'a\\\\b'`, 1],
  [`len("a\\\\b")`, 3],
  [`len("\\n")`, 2],
  [`len("\n")`, 1],
  [`len('"')`, 1],
  [`len("\\"")`, 1],
])

valueTable("an attribute of any name", [
  ['attr("Team Size (FTE)")', 12],
  ["attr('Team Size (FTE)') * 2", 24],
  ['attr(" open-since ") + 1', 2020],
  ['attr("budget") == attr_budget', 1],
  ['attr("team size (fte)")', 0],
  ['attr("nowhere") == null', 1],
])

valueTable("null is what is missing", [
  ["phone == null", 1],
  ["phone == nil", 1],
  ["email != null", 1],
  ["rating == null", 0],
  ["null != longitude", 0],
  ["attr_missing == null", 1],
  ["attr_nothing == null", 1],
  ["attr_none == null", 1],
  ["attr_empty_text == nil", 1],
  ["attr_hollow == null", 1],
  ["attr_zero_text == null", 0],
  ["null == nil", 1],
  ["(rating - rating) == null", 0],
  ["null + 1", 1],
  ["null ? 1 : 2", 2],
  ["len(null)", 0],
  ["days_since(null)", 0],
  ["contains(city, null)", 0],
  ["rating > 4 ? null : 5", 0],
])
