import { Check, X } from 'lucide-react'
import { Button } from '../../ui/controls/Button.tsx'
import type { DocumentData } from './document-data.ts'

interface ReviewButtonsProps {
  document: Pick<DocumentData, 'uploadSource' | 'reviewState'>
  onAccept: () => void
  onReject: () => void
}

/** Accept and reject buttons in the preview of a patient upload that is waiting for review. */
export function ReviewButtons({ document: { uploadSource, reviewState }, onAccept, onReject }: ReviewButtonsProps) {
  if (uploadSource !== 'patient' || reviewState !== 'pending') return null
  return (
    <>
      <Button icon={<X />} onClick={onReject}>
        Reject…
      </Button>
      <Button variant="filled" icon={<Check />} onClick={onAccept}>
        Accept
      </Button>
    </>
  )
}
