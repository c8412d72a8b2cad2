import { useState } from 'react'
import { maxAttached, maxRecipients } from '../../rules.ts'
import type { DraftKeeper, Words } from './draft-store.ts'
import { formatMaxAttached, useDraftUploads } from './draft-uploads.ts'
import { useDraftView } from './useDraftStore.ts'
import { useRecipientLines } from './useRecipientLines.ts'
import { useSendDraft } from './useSendDraft.ts'

/** The state and actions of the composer. */
export type ComposerState = ReturnType<typeof useComposer>

const countRecipients = ({ to, cc, bcc }: Words): number => to.length + cc.length + bcc.length

/** The draft that is being written: its recipients, uploads and errors, and how it is sent. */
export function useComposer(keeper: DraftKeeper, onSent: () => void) {
  const view = useDraftView(keeper)
  const { id, words, files, state } = view
  const uploads = useDraftUploads(id)
  const { send, isBusy } = useSendDraft()
  const recipients = useRecipientLines(keeper, words)
  const [tries, setTries] = useState(0)
  const [refused, setRefused] = useState<string | null>(null)
  const isChecked = tries > 0
  const isUnavailable = state === 'sending'

  const size = [...files.map((file) => file.size), ...uploads.uploads.map(({ file }) => file.size)].reduce((sum, one) => sum + one, 0)
  const count = countRecipients(words)
  const isTooLarge = size > maxAttached
  const isUploading = uploads.uploads.some((upload) => upload.state !== 'failed')

  async function submit() {
    if (isBusy || isUnavailable) return
    const isComplete = recipients.addTyped()
    setTries((before) => before + 1)
    const total = countRecipients(keeper.view().words)
    if (!isComplete || total === 0 || total > maxRecipients || isTooLarge || isUploading) return
    const refusal = await send(id, view.version)
    if (refusal === null) onSent()
    else setRefused(refusal.message)
  }

  return {
    view,
    uploads,
    recipients,
    tries,
    isChecked,
    isBusy,
    isUnavailable,
    refused,
    recipientError: count === 0 ? 'Add a recipient' : count > maxRecipients ? `At most ${maxRecipients} recipients` : undefined,
    fileError: isTooLarge
      ? `The files are too large: ${formatMaxAttached} together at most`
      : isUploading && isChecked
        ? 'Wait until the files are there'
        : undefined,
    change: (part: Partial<Words>) => {
      keeper.change(part)
      setRefused(null)
    },
    submit,
  }
}
