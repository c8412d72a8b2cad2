import { useQuery } from '@tanstack/react-query'
import type { ConsentChannel } from '../../../crm/consent/rules.ts'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { Dialog, DialogBody } from '../../../ui/overlays/Dialog.tsx'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { Skeleton } from '../../../ui/display/Skeleton.tsx'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { TemplateEditor } from './TemplateEditor.tsx'
import { TemplateView } from './TemplateView.tsx'

interface TemplateDialogProps {
  /** Null: a new one. */
  id: string | null
  /** Of a new one. */
  channel: ConsentChannel
  /** Opens another one in its place. */
  onOpen: (id: string) => void
  onClose: () => void
}

/** One template: an editor, or a read-only view for users who may not write. */
export default function TemplateDialog({ id, channel, onOpen, onClose }: TemplateDialogProps) {
  const may = usePermission()
  const template = useQuery(
    orpc.emailTemplates.get.queryOptions({ input: { id: id ?? '' }, enabled: id !== null, staleTime: 0, gcTime: 0 }),
  )
  if (id === null) return <TemplateEditor template={null} channel={channel} onOpen={onOpen} onClose={onClose} />
  if (template.data) {
    return may('emailTemplates.update') ? (
      <TemplateEditor template={template.data} channel={channel} onOpen={onOpen} onClose={onClose} />
    ) : (
      <TemplateView template={template.data} onClose={onClose} />
    )
  }
  return (
    <Dialog onClose={onClose} title="Template" size="lg">
      <DialogBody className="min-h-80">
        {template.error ? (
          <ErrorState title="Couldn’t load the template" onRetry={() => void template.refetch()} retrying={template.isFetching}>
            {messageOf(template.error)}
          </ErrorState>
        ) : (
          <div role="status" aria-label="Loading" className="flex flex-col gap-4">
            <Skeleton className="w-1/3" />
            <Skeleton className="w-2/3" />
            <Skeleton className="w-1/2" />
          </div>
        )}
      </DialogBody>
    </Dialog>
  )
}
