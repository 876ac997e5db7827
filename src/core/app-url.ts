/**
 * The dashboard's URL: the public address, else a loopback name of its own, at which browsers allow passkeys and
 * whose cookies no other local service sees.
 */
export function appUrl(publicUrl: string | undefined, port: number, code?: string): string {
  const origin = publicUrl ?? `http://leaddb.localhost:${port}`
  return `${origin}/app${code === undefined ? "" : `#${code}`}`
}
