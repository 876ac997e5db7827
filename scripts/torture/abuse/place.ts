import { createService, type Service } from "../../../test/support/service.ts"
import type { RowOptions } from "../row.ts"

/** One more account without limits on the file of a service; answers with its owner key. */
export async function newAccount(service: Service, plan = "enterprise"): Promise<string> {
  const argv = ["accounts", "create", "--name", "another", "--plan", plan, "--json"]
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
