import { messageAttachments } from '../inbox/table.ts'
import { mailboxDraftFiles } from '../mailbox/table.ts'
import { documents } from './table.ts'

/** Every table whose rows keep bytes in the file store alive, by their `storage_key`. What no row of any of them names is swept. */
export const fileTables = [documents, messageAttachments, mailboxDraftFiles] as const
