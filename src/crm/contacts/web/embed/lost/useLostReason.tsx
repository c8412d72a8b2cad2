import { useCallback, useState, type ReactNode } from 'react'
import { lazyDialog } from '../../../../../ui/overlays/lazy-dialog.tsx'
import type { FunnelStage } from '../../../../pipeline/contract.ts'

const LostReasonDialog = lazyDialog(
  () => import('./LostReasonDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface Question {
  stage: FunnelStage
  /** The patient's name, or '20 patients'. */
  who: string
  move: (lostReason: string | null) => void
}

/**
 * Asks for the reason before a move to a lost stage; other moves run at once. Closing the dialog cancels the move. The caller renders
 * `dialog`.
 */
export function useLostReason(): { moveTo: (stage: FunnelStage, who: string, move: Question['move']) => void; dialog: ReactNode } {
  const [question, setQuestion] = useState<Question | null>(null)
  const moveTo = useCallback((stage: FunnelStage, who: string, move: Question['move']) => {
    if (stage.kind !== 'lost') return move(null)
    // Waits until a closing menu has returned the focus, so that the dialog can take it.
    requestAnimationFrame(() => requestAnimationFrame(() => setQuestion({ stage, who, move })))
  }, [])

  const dialog = question && (
    <LostReasonDialog
      stage={question.stage}
      who={question.who}
      onClose={() => setQuestion(null)}
      onAnswer={(lostReason) => {
        setQuestion(null)
        question.move(lostReason)
      }}
    />
  )
  return { moveTo, dialog }
}
