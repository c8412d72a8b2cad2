import type { Client } from '../../../ui/client/api.ts'

export type TemplateData = Awaited<ReturnType<Client['consentForms']['template']>>
export type ImpactData = Awaited<ReturnType<Client['consentForms']['impact']>>
export type ConsentData = Awaited<ReturnType<Client['consentForms']['ofContact']>>[number]
export type RequiredData = Awaited<ReturnType<Client['consentForms']['ofSurgery']>>[number]
export type WholeConsentData = Awaited<ReturnType<Client['consentForms']['get']>>
