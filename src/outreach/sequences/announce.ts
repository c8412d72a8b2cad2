import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'

/** Updates the pages that show a sequence. */
export const announceSequence = (tx: Db, id: string): Promise<void> => publish(tx, 'sequence', id)
