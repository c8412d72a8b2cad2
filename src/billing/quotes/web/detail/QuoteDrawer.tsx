import { useState } from 'react'
import { Badge } from '../../../../ui/Badge.tsx'
import { SideDrawer } from '../../../../ui/SideDrawer.tsx'
import { quoteName } from '../../rules.ts'
import type { QuoteData } from '../quote-data.ts'
import { statusLabels, statusTones } from '../labels.ts'
import type { Deed } from './deed.ts'
import DeedLayer from './DeedLayer.tsx'
import { QuoteDeeds } from './QuoteDeeds.tsx'
import { QuoteFacts } from './QuoteFacts.tsx'

interface QuoteDrawerProps {
  quote: QuoteData
  /** All versions of it, the newest first. */
  versions: readonly QuoteData[]
  onLook: (id: string) => void
  onEdit: () => void
  onClose: () => void
}

/** All that a version of a quote says, what became of it, and what can be done with it. */
export default function QuoteDrawer({ quote, versions, onLook, onEdit, onClose }: QuoteDrawerProps) {
  const [deed, setDeed] = useState<Deed | null>(null)
  return (
    <SideDrawer
      title={quoteName(quote)}
      aside={<Badge tone={statusTones[quote.shownStatus]}>{statusLabels[quote.shownStatus]}</Badge>}
      onClose={onClose}
      isReadOnly={versions.length === 1}
      footer={<QuoteDeeds quote={quote} onDeed={setDeed} onEdit={onEdit} />}
    >
      <QuoteFacts quote={quote} versions={versions} onLook={onLook} />
      {deed && (
        <DeedLayer
          deed={deed}
          quote={quote}
          onClose={() => setDeed(null)}
          onDone={(after) => {
            setDeed(null)
            if (after.id !== quote.id) onLook(after.id)
          }}
        />
      )}
    </SideDrawer>
  )
}
