import type { Client } from '../../../../ui/client/api.ts'
import type { BadgeTone } from '../../../../ui/display/Badge.tsx'
import { type Clock, formatDateTime } from '../../../../ui/format.ts'
import type { RunStatus } from '../../rules.ts'
import { reasonLabel } from '../labels.ts'
import type { RunData } from '../sequence-data.ts'

export type LogData = Awaited<ReturnType<Client['sequences']['log']>>
export type Control = Parameters<Client['sequences']['control']>[0]['action']

export const statusTones: Record<RunStatus, BadgeTone> = {
  active: 'success',
  paused: 'warning',
  finished: 'neutral',
  left: 'neutral',
  stopped: 'neutral',
  failed: 'danger',
  'held-out': 'neutral',
  refused: 'warning',
}

/** What comes next, or why it ended: 'Next: Text “Welcome” · Thu, Nov 26, 10:15 a.m.' */
export function describeRun({ status, reason, stepTitle, dueAt }: RunData, clock: Clock): string {
  switch (status) {
    case 'active': {
      const next = `Next: ${stepTitle ?? 'the end'}${dueAt === null ? '' : ` · ${formatDateTime(dueAt, clock)}`}`
      return reason === null ? next : `${next} (${reasonLabel(reason)})`
    }
    case 'paused':
      return `Paused${reason === 'reply' ? ', because the patient replied' : reason === 'staff' ? ' by staff' : ''}${stepTitle === null ? '' : `. Next: ${stepTitle}`}`
    case 'failed':
      return `Failed${stepTitle === null ? '' : ` at: ${stepTitle}`}`
    case 'finished':
      return 'All steps are done'
    case 'held-out':
      return 'Receives nothing, for comparison'
    case 'stopped':
      return reason === 'deleted' ? 'The sequence was deleted' : 'Stopped by staff'
    case 'left':
    case 'refused':
      return reason === null ? '' : reasonLabel(reason).replace(/^./, (first) => first.toUpperCase())
  }
}

const controls: Partial<Record<RunStatus, Control[]>> = {
  active: ['pause', 'skip', 'stop'],
  paused: ['resume', 'skip', 'stop'],
  failed: ['retry', 'skip', 'stop'],
}

/** What staff can do with a run in this state. After the last step there is nothing to skip. */
export const controlsOf = ({ status, step }: Pick<RunData, 'status' | 'step'>): Control[] =>
  (controls[status] ?? []).filter((action) => action !== 'skip' || step !== null)

export const controlLabels: Record<Control, string> = {
  pause: 'Pause',
  resume: 'Resume',
  skip: 'Skip next step',
  stop: 'Stop',
  retry: 'Try again',
}

export const controlDone: Record<Control, string> = {
  pause: 'Sequence paused',
  resume: 'Sequence resumed',
  skip: 'Step skipped',
  stop: 'Sequence stopped',
  retry: 'The step is tried again',
}
