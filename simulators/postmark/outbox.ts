/** The accepted emails, newest first; stored in a JSON Lines file, if given, to survive a restart. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Mail, recipientsOf } from './message.ts'

/** A sent email in Postmark's format, with what Postmark adds on acceptance. */
export type AcceptedMail = Mail & { MessageID: string; SubmittedAt: string }

export class Outbox {
  readonly #mails: AcceptedMail[] = []
  readonly #file: string | undefined

  constructor(file?: string) {
    this.#file = file
    if (!file) return
    mkdirSync(path.dirname(file), { recursive: true })
    if (!existsSync(file)) return
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      // Each line was written by add().
      if (line.trim() !== '') this.#mails.unshift(JSON.parse(line) as AcceptedMail)
    }
  }

  add(mail: AcceptedMail): void {
    this.#mails.unshift(mail)
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify(mail)}\n`)
  }

  /** @param to limits the list to one recipient, ignoring case. */
  list(to?: string | null): readonly AcceptedMail[] {
    const wanted = to?.trim().toLowerCase()
    return wanted ? this.#mails.filter((mail) => recipientsOf(mail).includes(wanted)) : this.#mails
  }

  find(messageId: string): AcceptedMail | undefined {
    return this.#mails.find((mail) => mail.MessageID === messageId)
  }

  clear(): void {
    this.#mails.length = 0
    if (this.#file) writeFileSync(this.#file, '')
  }
}
