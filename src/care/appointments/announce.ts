import type { Db } from '../../kernel/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { permissions } from '../../kernel/access/policy.ts'

/** Only those who see appointments hear of one. */
export const announceAppointment = (tx: Db, id: string): Promise<void> =>
  publish(tx, 'appointment', id, { accounts: [], roles: permissions['appointments.list'] })
