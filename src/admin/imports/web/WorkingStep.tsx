import { useMutation } from '@tanstack/react-query'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { formatCount } from '../../../ui/format.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import type { StepProps } from './upload-table.ts'
import { ProgressBar } from '../../../ui/display/ProgressBar.tsx'
import { StepFrame } from './StepFrame.tsx'

const labels = {
  checking: { label: 'Checking', text: 'Nothing is imported yet.', stop: 'Stop checking' },
  running: {
    label: 'Importing',
    text: 'You can leave this page while it runs. If you stop it, records imported so far are kept and can be undone.',
    stop: 'Stop importing',
  },
  undoing: { label: 'Undoing', text: 'Records that someone changed since the import are kept.', stop: null },
}

/** The progress of a check, run or undo in the background. */
export function WorkingStep({ data, onChanged }: StepProps) {
  const cancel = useMutation(
    orpc.imports.cancel.mutationOptions({
      onSuccess: onChanged,
      onError: (error) => toast.error('The import is still running', messageOf(error)),
    }),
  )
  const { label, text, stop } = labels[data.status as keyof typeof labels]
  const total = data.status === 'undoing' ? (data.result?.added ?? 0) + (data.result?.filled ?? 0) : data.rows
  return (
    <StepFrame
      actions={
        stop && (
          <Button size="lg" busy={cancel.isPending} onClick={() => cancel.mutate({ id: data.id })}>
            {stop}
          </Button>
        )
      }
    >
      <div role="status" className="flex flex-col gap-3 pt-6">
        <ProgressBar
          label={label}
          value={total > 0 ? data.progress / total : 0}
          detail={`${formatCount(data.progress)} of ${formatCount(total)}`}
        />
        <p className="text-sm text-fg-2">{text}</p>
      </div>
    </StepFrame>
  )
}
