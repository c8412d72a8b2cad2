import type { Client } from '../../../ui/client/api.ts'

/** As they arrive: moments are ISO strings. */
export type TemplateLine = Awaited<ReturnType<Client['emailTemplates']['list']>>[number]
export type TemplateData = Awaited<ReturnType<Client['emailTemplates']['get']>>
