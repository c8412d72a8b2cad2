import { useState } from 'react'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { SideDrawer } from '../../../../ui/overlays/SideDrawer.tsx'
import { quoteName } from '../../rules.ts'
import type { QuoteData } from '../quote-data.ts'
import { statusLabels, statusTones } from '../labels.ts'
import type { Action } from './action.ts'
import ActionDialogs from './ActionDialogs.tsx'
import { QuoteActions } from './QuoteActions.tsx'
import { QuoteFacts } from './QuoteFacts.tsx'

interface QuoteDrawerProps {
  quote: QuoteData
  /** All versions, newest first. */
  versions: readonly QuoteData[]
  onLook: (id: string) => void
  onEdit: () => void
  onClose: () => void
}

/** Details, history and actions of a quote version. */
export default function QuoteDrawer({ quote, versions, onLook, onEdit, onClose }: QuoteDrawerProps) {
  const [action, setAction] = useState<Action | null>(null)
  return (
    <SideDrawer
      title={quoteName(quote)}
      aside={<Badge tone={statusTones[quote.shownStatus]}>{statusLabels[quote.shownStatus]}</Badge>}
      onClose={onClose}
      isReadOnly={versions.length === 1}
      footer={<QuoteActions quote={quote} onAction={setAction} onEdit={onEdit} />}
    >
      <QuoteFacts quote={quote} versions={versions} onLook={onLook} />
      {action && (
        <ActionDialogs
          action={action}
          quote={quote}
          onClose={() => setAction(null)}
          onDone={(after) => {
            setAction(null)
            if (after.id !== quote.id) onLook(after.id)
          }}
        />
      )}
    </SideDrawer>
  )
}
