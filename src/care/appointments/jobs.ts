import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { purgeLinks } from './links/link-tokens.ts'
import { expectedIn, mirrorAgain, staleContacts } from './mirror.ts'

/** When an appointment is over, the patient's record names the next one. */
export const followClock = defineJob({
  name: 'appointments.follow-clock',
  payload: z.object({}),
  cron: '*/10 * * * *',
  async run(scope) {
    for (const id of await staleContacts(scope)) await mirrorAgain(scope, id)
  },
})

/** Anyone who is still to come into a room that is called something else now finds it under that name. */
export const renameRoom = defineJob({
  name: 'appointments.rename-room',
  payload: z.object({ roomId: z.uuid() }),
  async run(scope, { roomId }) {
    for (const id of await expectedIn(scope, roomId)) await mirrorAgain(scope, id)
  },
})

export const purgeAppointmentLinks = defineJob({
  name: 'appointments.forget-links',
  payload: z.object({}),
  cron: '53 7 * * *',
  run: purgeLinks,
})
