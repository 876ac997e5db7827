// Templates of mails in the store's contract. Every time is in Unix seconds.

export interface Template {
  id: string
  name: string
  /** Both with fields of a lead in double braces. */
  subject: string
  body: string
  created_at: number
  updated_at: number
}

export interface TemplateReads {
  find(account: number, id: string): Promise<Template | undefined>
  /** Oldest first. */
  list(account: number): Promise<Template[]>
}
export interface TemplateWrites {
  insert(account: number, template: Template): Promise<void>
  update(account: number, template: Template): Promise<void>
  remove(account: number, id: string): Promise<void>
}
