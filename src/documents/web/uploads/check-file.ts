import { formatFileSize } from '../../../ui/format.ts'
import { clinicFileLimit, kindOfName } from '../../rules.ts'

/** Why a file is not even sent, in the words of the list; null when the server may look at it. */
export function refusalOf({ name, size }: Pick<File, 'name' | 'size'>): string | null {
  if (kindOfName(name) === null) return 'This type of file cannot be taken. PDF, Word, JPEG, PNG and HEIC can.'
  if (size === 0) return 'This file is empty'
  if (size > clinicFileLimit) return `This file is larger than ${formatFileSize(clinicFileLimit)}`
  return null
}

/** What the file chooser offers. */
export const accepted = '.pdf,.doc,.docx,.jpg,.jpeg,.jpe,.jfif,.png,.heic,.heif'
