import type { Client } from '../../../ui/client/api.ts'

export type TemplateData = Awaited<ReturnType<Client['forms']['template']>>
export type TemplateLineData = Awaited<ReturnType<Client['forms']['templates']>>[number]
export type SentFormData = Awaited<ReturnType<Client['forms']['ofContact']>>[number]
export type SubmittedFormData = Awaited<ReturnType<Client['forms']['get']>>
