import { useQuery } from '@tanstack/react-query'
import { Plus, Zap } from 'lucide-react'
import { useState } from 'react'
import { languageNames } from '../../../../shared/translations.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { OpenRow } from '../../../../ui/display/OpenRow.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import type { QuickReplyData } from '../inbox-data.ts'

const QuickReplyDialog = lazyDialog(
  () => import('../quick/QuickReplyDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** The practice's short answers, for those who have the inbox. */
export function QuickRepliesCard() {
  const isAllowed = usePermission()('inbox.quickReplies')
  const replies = useQuery(orpc.inbox.quickReplies.queryOptions({ enabled: isAllowed }))
  const [open, setOpen] = useState<{ reply: QuickReplyData | null } | null>(null)
  if (!isAllowed) return null
  const add = (
    <Button icon={<Plus />} onPointerEnter={QuickReplyDialog.prepare} onClick={() => setOpen({ reply: null })}>
      New quick reply
    </Button>
  )
  return (
    <Section id="quick-replies" title="Quick replies" actions={replies.data && replies.data.length > 0 && add}>
      <Asked query={replies} failed="Couldn’t load quick replies">
        {(list) =>
          list.length > 0 ? (
            <>
              <p className="max-w-[60ch] pt-3 pb-2 text-sm text-fg-2">
                Short answers for the inbox. Insert one with the Quick replies button, or type a slash and its name.
              </p>
              <ul className="-mx-2">
                {list.map((reply) => (
                  <li key={reply.id}>
                    <OpenRow
                      onPointerEnter={QuickReplyDialog.prepare}
                      onFocus={QuickReplyDialog.prepare}
                      onClick={() => setOpen({ reply })}
                    >
                      <span className="flex min-w-0 flex-1 flex-col">
                        <span className="max-w-full truncate text-md font-medium text-fg">{reply.name}</span>
                        <span className="max-w-full truncate text-sm text-fg-3">{reply.text}</span>
                      </span>
                      <Badge>{languageNames[reply.language]}</Badge>
                    </OpenRow>
                  </li>
                ))}
              </ul>
            </>
          ) : (
            <EmptyState icon={<Zap />} title="No quick replies yet" actions={add}>
              Save answers that you write often, such as how to park, in each language.
            </EmptyState>
          )
        }
      </Asked>
      {open && <QuickReplyDialog reply={open.reply} onClose={() => setOpen(null)} />}
    </Section>
  )
}
