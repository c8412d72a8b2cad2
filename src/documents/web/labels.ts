import { type DocumentType, documentTypes, fileKinds } from '../rules.ts'
import { formatFileSize } from '../../ui/format.ts'
import type { DocumentData, DocumentFields } from './document-data.ts'

/** The category labels. Patient uploads are uncategorized until staff choose a category. */
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

/** The categories offered for a document; "Uncategorized" only if it is the current one. */
export const categoryOptions = (current: DocumentType | null) =>
  documentTypes
    .filter((type) => type !== 'patient_upload' || current === 'patient_upload')
    .map((type) => ({ value: type, label: categoryLabels[type] }))

/** 'PDF, 1.2 MB' */
export const formatKindAndSize = ({ mimeType, size }: Pick<DocumentData, 'mimeType' | 'size'>): string =>
  `${fileKinds[mimeType].name}, ${formatFileSize(size)}`

/** Splits a name into stem and extension; only the stem can be edited. */
export function splitName(name: string): { stem: string; extension: string } {
  const extension = /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ?? ''
  return { stem: name.slice(0, name.length - extension.length), extension }
}

export const formatSharing = (isShared: boolean): string => (isShared ? 'Shared with the patient' : 'Not shared with the patient')

const fieldLabels: Record<keyof DocumentFields, string> = {
  name: 'Name',
  documentType: 'Category',
  description: 'Description',
  isShared: 'Sharing',
}

/** Formats a field changed by someone else, such as 'Category: Lab result'. */
export function formatField(field: keyof DocumentFields, { name, documentType, description, isShared }: DocumentData): string {
  const values: Record<keyof DocumentFields, string> = {
    name: `“${name}”`,
    documentType: categoryLabels[documentType],
    description: description === null ? 'none' : `“${description}”`,
    isShared: formatSharing(isShared).toLowerCase(),
  }
  return `${fieldLabels[field]}: ${values[field]}`
}
