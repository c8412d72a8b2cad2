import { importFiles } from '../imports/table.ts'
import { messageAttachments } from '../../messages/inbox/table.ts'
import { mailboxDraftFiles } from '../../messages/mailbox/table.ts'
import { documents } from '../../documents/table.ts'

/** Every table whose rows keep bytes in the file store alive, by their `storage_key`. What no row of any of them names is swept. */
export const fileTables = [documents, importFiles, messageAttachments, mailboxDraftFiles] as const
