export const mailProviders = ['nylas', 'gmail'] as const
export type MailProvider = (typeof mailProviders)[number]

/** - `none`: no mailbox is connected. - `reconnect`: the provider no longer accepts the connection. */
export const mailboxStates = ['none', 'connected', 'reconnect'] as const

/** The role of a folder; the person's own folders have none. */
export const folderRoles = ['inbox', 'starred', 'sent', 'drafts', 'archive', 'spam', 'trash'] as const

/** Where a thread can be moved. */
export const places = ['inbox', 'archive', 'trash'] as const

export const draftKinds = ['new', 'reply', 'forward'] as const
export type DraftKind = (typeof draftKinds)[number]

/**
 * - `failed`: not sent, and the draft says why. - `unsure`: no response after it was handed over, and not found among the sent email: its
 * author decides.
 */
export const draftStates = ['draft', 'sending', 'failed', 'unsure'] as const
export type DraftState = (typeof draftStates)[number]

/** Spec 7: the maximum number of new emails, and their folder. Product: the name means the id of the folder with that attribute. */
export const newMail = { limit: 25, folder: 'INBOX' } as const

/** Milliseconds between checks for new email (spec 9). */
export const newMailEvery = 2 * 60_000

/** Bytes: the maximum for all files of one email. Providers allow 25 MB in total, and base64 adds a third. */
export const maxAttached = 18_000_000
export const maxRecipients = 100
/** Characters. */
export const mailLimits = { subject: 900, text: 50_000 } as const

export type Person = { name: string; email: string }

const prefix = (word: string) => new RegExp(`^\\s*${word}\\s*:`, 'i')

/** The subject of a reply or a forwarded email, with one 'Re:' or 'Fwd:'. */
export function subjectOf(kind: DraftKind, subject: string): string {
  if (kind === 'new') return subject
  const isMarked = kind === 'reply' ? prefix('re').test(subject) : prefix('(fwd?|wg|tr)').test(subject)
  return isMarked ? subject : `${kind === 'reply' ? 'Re' : 'Fwd'}: ${subject}`
}

type Answered = { from: Person | null; replyTo: readonly Person[]; to: readonly Person[]; cc: readonly Person[]; isSent: boolean }

/**
 * The recipients of a reply: the Reply-To address, or, for one's own email, its recipients. Reply to all adds everyone else, never
 * oneself.
 */
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
