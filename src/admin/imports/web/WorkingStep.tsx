import { useMutation } from '@tanstack/react-query'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { formatCount } from '../../../ui/format.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import type { StepProps } from './calls.ts'
import { ProgressBar } from '../../../ui/display/ProgressBar.tsx'
import { StepFrame } from './StepFrame.tsx'

const words = {
  checking: { label: 'Checking', text: 'Nothing is written yet.', stop: 'Stop checking' },
  running: {
    label: 'Importing',
    text: 'You can leave this page while it runs. If you stop, what was imported so far stays and can be undone.',
    stop: 'Stop importing',
  },
  undoing: { label: 'Undoing', text: 'What someone has changed since the import is left as it is.', stop: null },
}

/** Something is being done in the background. */
export function WorkingStep({ data, onChanged }: StepProps) {
  const cancel = useMutation(
    orpc.imports.cancel.mutationOptions({
      onSuccess: onChanged,
      onError: (error) => toast.error('Still running', messageOf(error)),
    }),
  )
  const { label, text, stop } = words[data.status as keyof typeof words]
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
