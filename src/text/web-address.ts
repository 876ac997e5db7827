/** True for an http or https address with a host. */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== ""
}

/** True for an address that holds a user name or password. */
export function hasUserInfo(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.username !== "" || url.password !== "")
}
