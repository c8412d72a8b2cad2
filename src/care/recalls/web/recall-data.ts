import type { Client } from '../../../ui/client/api.ts'

export type RecallData = Awaited<ReturnType<Client['recalls']['get']>>
export type RecallPatientData = Awaited<ReturnType<Client['recalls']['patients']>>['data'][number]
