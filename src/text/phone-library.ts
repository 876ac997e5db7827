// The functions of the phone library that are used: the executable has nothing else of it.
export {
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  parsePhoneNumberFromString,
} from "libphonenumber-js/min"
