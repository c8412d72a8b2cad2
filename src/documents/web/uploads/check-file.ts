import { formatFileSize } from '../../../ui/format.ts'
import { clinicFileLimit, kindOfName } from '../../rules.ts'

/** The error message for a file that cannot be uploaded; null if it can be sent to the server. */
export function checkFile({ name, size }: Pick<File, 'name' | 'size'>): string | null {
  if (kindOfName(name) === null) return 'This file type is not supported. Use PDF, Word, JPEG, PNG or HEIC.'
  if (size === 0) return 'This file is empty'
  if (size > clinicFileLimit) return `This file is larger than ${formatFileSize(clinicFileLimit)}`
  return null
}

/** The `accept` attribute of the file picker. */
export const acceptedExtensions = '.pdf,.doc,.docx,.jpg,.jpeg,.jpe,.jfif,.png,.heic,.heif'
