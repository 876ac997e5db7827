// Definitions of attributes in the store's contract.
import type { AttributeDefinition } from "../../lead/attribute-definition.ts"

export interface AttributeDefinitionReads {
  /** By position, then name. They are valid for one revision of the account's rules. */
  list(account: number): Promise<AttributeDefinition[]>
}

export interface AttributeDefinitionWrites {
  /** Adds a definition, or replaces that of the same name. */
  put(account: number, definition: AttributeDefinition): Promise<void>
  remove(account: number, name: string): Promise<boolean>
}
