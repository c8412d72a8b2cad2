import { TemplatesCards } from '../../../messages/email-templates/web/embed/TemplatesCard.tsx'
import { QuickRepliesCard } from '../../../messages/inbox/web/embed/QuickRepliesCard.tsx'

/** What emails and texts are written from, and the short answers of the inbox. */
export function Templates() {
  return (
    <div className="flex flex-col gap-8">
      <TemplatesCards />
      <QuickRepliesCard />
    </div>
  )
}
