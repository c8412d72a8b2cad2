export const mailProviders = ['nylas', 'gmail'] as const
export type MailProvider = (typeof mailProviders)[number]

/** - `none`: this person has connected no mailbox. - `reconnect`: their provider no longer accepts the connection. */
export const mailboxStates = ['none', 'connected', 'reconnect'] as const

/** What a folder is for; the person's own folders have no role. */
export const folderRoles = ['inbox', 'starred', 'sent', 'drafts', 'archive', 'spam', 'trash'] as const

/** Where a thread can be put. */
export const places = ['inbox', 'archive', 'trash'] as const

export const draftKinds = ['new', 'reply', 'forward'] as const
export type DraftKind = (typeof draftKinds)[number]

/**
 * - `failed`: it did not go out, and the draft says why.
 * - `unsure`: no answer came after it was handed over, and it is not among what was sent: the person who wrote it decides.
 */
export const draftStates = ['draft', 'sending', 'failed', 'unsure'] as const
export type DraftState = (typeof draftStates)[number]

/** Spec 7: how many new mails are looked for, and in which folder. Product: the name stands for the id of the folder whose attribute it is. */
export const newMail = { limit: 25, folder: 'INBOX' } as const

/** Milliseconds (spec 9): how often new mail is looked for. */
export const newMailEvery = 2 * 60_000

/** Of the files of one mail together, in bytes: providers take 25 MB with everything, and base64 takes a third more. */
export const maxAttached = 18_000_000
export const maxRecipients = 100
/** Characters. */
export const longest = { subject: 900, text: 50_000 } as const

export type Person = { name: string; email: string }

const prefix = (word: string) => new RegExp(`^\\s*${word}\\s*:`, 'i')

/** The subject of an answer or of what is passed on: with 'Re:' or 'Fwd:', once. */
export function subjectOf(kind: DraftKind, subject: string): string {
  if (kind === 'new') return subject
  const isMarked = kind === 'reply' ? prefix('re').test(subject) : prefix('(fwd?|wg|tr)').test(subject)
  return isMarked ? subject : `${kind === 'reply' ? 'Re' : 'Fwd'}: ${subject}`
}

type Answered = { from: Person | null; replyTo: readonly Person[]; to: readonly Person[]; cc: readonly Person[]; isSent: boolean }

/** Whom an answer goes to: where the writer wants it, or, under one's own mail, those it went to. To all: everyone else beside them, never oneself. */
export function recipientsOf(message: Answered, own: string, toAll: boolean): { to: Person[]; cc: Person[] } {
  const isOwn = ({ email }: Person) => email.toLowerCase() === own.toLowerCase()
  const sender = message.replyTo.length > 0 ? message.replyTo : message.from ? [message.from] : []
  const to = unique(message.isSent ? message.to : sender)
  const others = message.isSent ? message.cc : [...message.to, ...message.cc]
  const cc = toAll ? unique(others).filter((person) => !isOwn(person) && !to.some((one) => sameAddress(one, person))) : []
  const withoutSelf = to.filter((person) => !isOwn(person))
  return { to: withoutSelf.length > 0 ? withoutSelf : to, cc }
}

const sameAddress = (a: Person, b: Person): boolean => a.email.toLowerCase() === b.email.toLowerCase()

const unique = (people: readonly Person[]): Person[] =>
  people.filter((person, index) => people.findIndex((other) => sameAddress(other, person)) === index)
