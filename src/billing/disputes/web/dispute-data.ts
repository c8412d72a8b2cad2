import type { Client } from '../../../ui/client/api.ts'

export type DisputeData = Awaited<ReturnType<Client['disputes']['list']>>['data'][number]
export type DisputeDetails = Awaited<ReturnType<Client['disputes']['get']>>
