import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { purgeLinks } from './links/link-tokens.ts'
import { contactsExpectedIn, refreshNextAppointment, staleContacts } from './next-appointment.ts'

/** Updates the records of patients whose next appointment is over. */
export const followClock = defineJob({
  name: 'appointments.follow-clock',
  payload: z.object({}),
  cron: '*/10 * * * *',
  async run(scope) {
    for (const id of await staleContacts(scope)) await refreshNextAppointment(scope, id)
  },
})

/** Updates the records of patients with an upcoming appointment in a renamed or relocated room; null: in any room. */
export const renameRoom = defineJob({
  name: 'appointments.rename-room',
  payload: z.object({ roomId: z.uuid().nullable() }),
  async run(scope, { roomId }) {
    for (const id of await contactsExpectedIn(scope, roomId)) await refreshNextAppointment(scope, id)
  },
})

export const purgeAppointmentLinks = defineJob({
  name: 'appointments.purge-links',
  payload: z.object({}),
  cron: '53 7 * * *',
  run: purgeLinks,
})
