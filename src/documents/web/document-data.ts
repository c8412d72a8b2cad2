import type { Client } from '../../ui/client/api.ts'

/** A document as the client receives it: instants are ISO strings. */
export type DocumentData = Awaited<ReturnType<Client['documents']['list']>>[number]
export type PendingDocument = Awaited<ReturnType<Client['documents']['waiting']>>['data'][number]

/** The fields that staff can change. */
export type DocumentFields = Partial<Pick<DocumentData, 'name' | 'documentType' | 'description' | 'isShared'>>
