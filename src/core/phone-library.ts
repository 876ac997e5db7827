// What is used of the library of phone numbers: the executable has nothing else of it.
export {
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  parsePhoneNumberFromString,
} from "libphonenumber-js/min"
