import { pictureBounds } from '../../../../platform/mail/written-rules.ts'
import type { Pictures } from '../../../../ui/rich-text/usePictureUploads.tsx'

/** Where the pictures of emails are until they are sent. */
export const inboxPictures = (onBusy: (isBusy: boolean) => void): Pictures => ({
  uploadTo: '/api/inbox/pictures',
  addressOf: (id) => `/api/inbox/pictures/${id}`,
  maxSize: pictureBounds.size,
  onBusy,
})
