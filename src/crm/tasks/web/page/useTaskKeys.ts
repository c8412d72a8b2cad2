import { useEffect, useMemo, useRef, useState } from 'react'
import { type Hotkey, useHotkeys } from '../../../../ui/hooks/hotkeys.ts'
import { editTask } from '../embed/task-dialog.ts'
import { useCompleteTask } from '../embed/useCompleteTask.ts'
import type { TaskData } from '../task-data.ts'

/** The menu of the bulk bar that a keyboard shortcut has opened. */
export type BulkMenu = 'complete' | 'assign' | 'date' | null

interface Options {
  tasks: readonly TaskData[]
  onToggle: (id: string, withShift?: boolean) => void
  isAnySelected: boolean
  onClear: () => void
}

/** Keyboard shortcuts of the list: move between rows, and act on the current row or the selection. */
export function useTaskKeys(options: Options) {
  const [current, setCurrent] = useState<string | null>(null)
  const [menu, setMenu] = useState<BulkMenu>(null)
  const complete = useCompleteTask()
  const latest = useRef({ ...options, current, complete })
  useEffect(() => {
    latest.current = { ...options, current, complete }
  })

  const hotkeys = useMemo<Hotkey[]>(() => {
    const currentTask = () => latest.current.tasks.find(({ id }) => id === latest.current.current)
    const step = (by: number) => {
      const { tasks } = latest.current
      const at = tasks.findIndex(({ id }) => id === latest.current.current)
      const next = tasks[Math.max(0, Math.min(tasks.length - 1, at < 0 ? 0 : at + by))]
      if (!next) return
      setCurrent(next.id)
      const row = document.querySelector<HTMLElement>(`[data-task="${next.id}"]`)
      row?.scrollIntoView({ block: 'nearest' })
      row?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true })
    }
    const edit = () => {
      const task = currentTask()
      if (task) editTask(task.id)
    }
    const openBulkMenu = (wanted: BulkMenu) => {
      const task = currentTask()
      if (!latest.current.isAnySelected && task) latest.current.onToggle(task.id)
      if (latest.current.isAnySelected || task) setMenu(wanted)
    }
    const group = 'Lists'
    return [
      { keys: 'j', label: 'Next row', group, run: () => step(1) },
      { keys: 'down', label: 'Next row', group, run: () => step(1), hidden: true },
      { keys: 'k', label: 'Previous row', group, run: () => step(-1) },
      { keys: 'up', label: 'Previous row', group, run: () => step(-1), hidden: true },
      { keys: 'e', label: 'Edit', group, run: edit },
      {
        keys: 'x',
        label: 'Select',
        group,
        run: () => {
          const task = currentTask()
          if (task) latest.current.onToggle(task.id)
        },
      },
      {
        keys: 'd',
        label: 'Complete',
        group,
        run: () => {
          const task = currentTask()
          if (latest.current.isAnySelected) setMenu('complete')
          else if (task) void latest.current.complete(task)
        },
      },
      { keys: 'a', label: 'Assign', group, run: () => openBulkMenu('assign') },
      { keys: 'f', label: 'Change due date', group, run: () => openBulkMenu('date') },
      { keys: 'esc', label: 'Clear selection', group, run: () => latest.current.onClear() },
    ]
  }, [])
  useHotkeys(hotkeys)
  return { current, menu, setMenu }
}
