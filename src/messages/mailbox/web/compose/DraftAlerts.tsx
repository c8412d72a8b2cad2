import { Alert } from '../../../../ui/display/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { nameOf } from '../mailbox-data.ts'
import type { DraftKeeper, DraftView, Words } from './draft-store.ts'

interface DraftAlertsProps {
  keeper: DraftKeeper
  view: DraftView
  /** The text was saved as a new draft. */
  onKeepAsNew: () => void
  onThrowAway: () => void
}

/** Messages and choices that a draft requires before it can continue. */
export function DraftAlerts({ keeper, view: { refusal, state, problem }, onKeepAsNew, onThrowAway }: DraftAlertsProps) {
  if (refusal?.kind === 'conflict') {
    return (
      <Alert
        tone="warning"
        title="This draft was changed in another window."
        className="m-3"
        action={
          <span className="flex flex-wrap gap-2">
            <Button size="sm" onClick={() => keeper.takeTheirs()}>
              Use what is there
            </Button>
            <Button size="sm" onClick={() => void keeper.keepMine()}>
              Keep what is here
            </Button>
          </span>
        }
      >
        There: {inShort(refusal.theirs)} Nothing is saved until you choose.
      </Alert>
    )
  }
  if (refusal?.kind === 'gone' || refusal?.kind === 'sending') {
    return (
      <Alert
        tone="warning"
        title={refusal.kind === 'sending' ? 'This email is already being sent.' : 'This draft was sent or discarded in another window.'}
        className="m-3"
        action={
          <span className="flex flex-wrap gap-2">
            <Button size="sm" onClick={onKeepAsNew}>
              Keep as a new draft
            </Button>
            <Button size="sm" variant="danger" onClick={onThrowAway}>
              Discard
            </Button>
          </span>
        }
      >
        What you wrote here since is in this window alone.
      </Alert>
    )
  }
  if (state === 'failed' || state === 'unsure') {
    return (
      <Alert tone="danger" title={state === 'failed' ? 'Not sent.' : 'It may have gone out.'} className="m-3">
        {problem}
      </Alert>
    )
  }
  return null
}

/** “Subject”, to Ana Silva: the beginning of the text. */
function inShort({ subject, to, text }: Pick<Words, 'subject' | 'to' | 'text'>): string {
  const whom = to.length > 0 ? `, to ${to.map(nameOf).join(', ')}` : ''
  const begin = text.trim().slice(0, 120)
  return `“${subject || 'no subject'}”${whom}: ${begin ? `“${begin}${text.trim().length > 120 ? '…' : ''}”` : 'no words'}.`
}
