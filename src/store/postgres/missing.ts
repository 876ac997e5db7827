import { AppError } from "../../runtime/errors.ts"

/** Stands for a part that this engine does not have yet: whoever calls it is told so. */
export function missing<Part extends object>(what: string): Part {
  return new Proxy({} as Part, {
    get: () => async () => {
      throw new AppError("unavailable", `leaddb on PostgreSQL cannot do this yet: ${what}`)
    },
    ownKeys: () => [],
  })
}
