import type { Client } from '../../../ui/client/api.ts'

/** A subscribed calendar as the API returns it: instants are ISO strings. */
export type CalendarData = Awaited<ReturnType<Client['subscribedCalendars']['add']>>
