import { type DocumentType, documentTypes, fileKinds } from '../rules.ts'
import { formatFileSize } from '../../ui/format.ts'
import type { DocumentData, DocumentFields } from './document-data.ts'

/** What a document is filed under. What a patient sends is filed by anyone who looks at it. */
export const categoryLabels: Record<DocumentType, string> = {
  consent: 'Consent form',
  photo: 'Photo',
  medical_history: 'Medical history',
  lab_result: 'Lab result',
  imaging: 'Imaging',
  referral: 'Referral',
  quote: 'Quote',
  insurance: 'Insurance',
  identification: 'Identification',
  other: 'Other',
  patient_upload: 'Uncategorized',
}

/** What may be chosen for a document that is filed under `now`: back to "not filed" only where it comes from. */
export const categoryOptions = (now: DocumentType | null) =>
  documentTypes
    .filter((type) => type !== 'patient_upload' || now === 'patient_upload')
    .map((type) => ({ value: type, label: categoryLabels[type] }))

/** 'PDF, 1.2 MB' */
export const kindAndSize = ({ mimeType, size }: Pick<DocumentData, 'mimeType' | 'size'>): string =>
  `${fileKinds[mimeType].name}, ${formatFileSize(size)}`

/** A name without its extension, which stays when the rest is changed. */
export function partsOf(name: string): { stem: string; extension: string } {
  const extension = /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ?? ''
  return { stem: name.slice(0, name.length - extension.length), extension }
}

export const whoSees = (isShared: boolean): string => (isShared ? 'Shared with the patient' : 'Not shared with the patient')

const fieldLabels: Record<keyof DocumentFields, string> = {
  name: 'Name',
  documentType: 'Category',
  description: 'Description',
  isShared: 'Sharing',
}

/** 'Category: Lab result', for what someone else has made of a field. */
export function formatField(field: keyof DocumentFields, { name, documentType, description, isShared }: DocumentData): string {
  const values: Record<keyof DocumentFields, string> = {
    name: `“${name}”`,
    documentType: categoryLabels[documentType],
    description: description === null ? 'none' : `“${description}”`,
    isShared: whoSees(isShared).toLowerCase(),
  }
  return `${fieldLabels[field]}: ${values[field]}`
}
