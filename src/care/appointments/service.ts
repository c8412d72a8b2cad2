import type { Db } from '../../kernel/postgres/database.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { renameRoom } from './jobs.ts'

export { mirrored } from './mirror.ts'

/** A room has another name or location: those who are still to come into it are told by their records. */
export const nameRoomAnew = (tx: Db, roomId: string): Promise<void> =>
  enqueue(tx, renameRoom, { roomId }, `appointments.rename-room ${roomId}`)
