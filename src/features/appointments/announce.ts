import type { Db } from '../../server/database.ts'
import { publish } from '../../server/events.ts'
import { permissions } from '../access/policy.ts'

/** Only those who see appointments hear of one. */
export const announceAppointment = (tx: Db, id: string): Promise<void> =>
  publish(tx, 'appointment', id, { accounts: [], roles: permissions['appointments.list'] })
