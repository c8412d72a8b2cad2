/** The mailbox that the simulated mail providers share, generated from a seed. Its parts are in mailboxes/. */
export { generateMailbox, userLabels } from './mailboxes/generate.ts'
export { type HistoryEntry, Mailbox, type NewMessage } from './mailboxes/mailbox.ts'
export {
  type Address,
  type Attachment,
  htmlOfText,
  labelOf,
  type Message,
  peopleOf,
  type Place,
  placeOf,
  snippetOf,
  textOfHtml,
} from './mailboxes/message.ts'
export { bodyOf, headersOf, type Part, rawOf } from './mailboxes/mime.ts'
export { parseMail } from './mailboxes/mime-parse.ts'
export { asksForHidden, searchTest } from './mailboxes/search.ts'
