import type { Client } from '../../ui/client/api.ts'

/** A document as it arrives in the browser: instants are ISO strings. */
export type DocumentData = Awaited<ReturnType<Client['documents']['list']>>[number]
export type WaitingDocument = Awaited<ReturnType<Client['documents']['waiting']>>['data'][number]

/** What staff change of a document. */
export type DocumentFields = Partial<Pick<DocumentData, 'name' | 'documentType' | 'description' | 'isShared'>>
