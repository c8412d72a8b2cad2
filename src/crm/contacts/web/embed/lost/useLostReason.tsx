import { useCallback, useState, type ReactNode } from 'react'
import { lazyDialog } from '../../../../../ui/overlays/lazy-dialog.tsx'
import type { FunnelStage } from '../../../../pipeline/contract.ts'

const LostReasonDialog = lazyDialog(
  () => import('./LostReasonDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface Question {
  stage: FunnelStage
  /** Who is moved: a name, or '20 patients'. */
  who: string
  move: (lostReason: string | null) => void
}

/**
 * Asks why, before someone is moved to a stage where leads are lost; any other move is made at once. Anyone who closes the question moves
 * no one. Put `dialog` on the page.
 */
export function useLostReason(): { moveTo: (stage: FunnelStage, who: string, move: Question['move']) => void; dialog: ReactNode } {
  const [question, setQuestion] = useState<Question | null>(null)
  const moveTo = useCallback((stage: FunnelStage, who: string, move: Question['move']) => {
    if (stage.kind !== 'lost') return move(null)
    // A menu that it was chosen from first gives the focus back, which the dialog then takes.
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
