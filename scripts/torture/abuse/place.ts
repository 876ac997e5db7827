import { createService, type Service } from "../../../test/support/service.ts"
import type { RowOptions } from "../row.ts"

/** One more account on the file of a service, without limits or with one on its leads; answers with its owner key. */
export async function newAccount(service: Service, leads?: number): Promise<string> {
  const limit = leads === undefined ? [] : ["--leads-limit", String(leads)]
  const argv = ["accounts", "create", "--name", "another", "--plan", "enterprise", ...limit, "--json"]
  const { code, out, err } = await service.run(argv)
  if (code !== 0) throw new Error(`accounts create: ${err}`)
  return JSON.parse(out).api_key
}

/** A running service of a row; whoever gets it ends it. */
export async function startService({ program, folder }: RowOptions): Promise<Service> {
  const service = createService({ program, folder })
  await service.start()
  return service
}
