import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { BookmarkPlus, EllipsisVertical, Link2, Pencil, Pin, PinOff, RotateCcw, Save, Trash2, Users } from 'lucide-react'
import { Fragment, useState, type ReactNode } from 'react'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useSession } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '../../../../ui/overlays/DropdownMenu.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import type { ViewedList } from '../../contract.ts'
import { mayChangeView } from '../../policy.ts'
import { defaultView, setDefaultView } from './default-view.ts'
import type { View } from './useViews.ts'

const ViewDialog = lazyDialog(
  () => import('./ViewDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface ViewActionsProps {
  /** The open view; null when the list shows something else. */
  current: View | null
  isChanged: boolean
  /** The current list parameters. */
  list: ViewedList
  narrow: boolean
}

interface Action {
  label: string
  icon: ReactNode
  danger?: boolean
  run: () => void
}

/** The actions of the open view: buttons to save or reset changes, and everything else in the menu. */
export function ViewActions({ current, isChanged, list, narrow }: ViewActionsProps) {
  const { user } = useSession()
  const [dialog, setDialog] = useState<'new' | 'rename' | null>(null)
  const { pinned, pin, open, change, remove, refresh } = useViewChanges()
  const isMine = current?.saved && user && mayChangeView(user, current.saved)

  const changeActions: Action[] = []
  const menuActions: Action[] = []
  if (current && isChanged) changeActions.push({ label: 'Reset', icon: <RotateCcw />, run: () => open(current) })
  if (!current || isChanged) changeActions.push({ label: 'Save as…', icon: <BookmarkPlus />, run: () => setDialog('new') })
  if (current && isMine && isChanged) {
    const save = async () => open(await client.savedViews.update({ id: current.id, list }), true)
    changeActions.push({
      label: 'Save',
      icon: <Save />,
      run: () => void change(save, `${current.name} was saved`, `${current.name} was not saved`),
    })
  }
  if (current) {
    const link = `${location.origin}/contacts?view=${current.id}`
    menuActions.push({
      label: 'Copy link',
      icon: <Link2 />,
      run: () =>
        void navigator.clipboard.writeText(link).then(
          () =>
            toast.success(
              'The link was copied',
              current.saved?.isShared === false ? 'Only you can open it: this view is private.' : undefined,
            ),
          () => toast.error('The link was not copied', link),
        ),
    })
    menuActions.push(
      pinned === current.id
        ? { label: 'Do not open by default', icon: <PinOff />, run: () => pin(null) }
        : { label: 'Open by default', icon: <Pin />, run: () => pin(current.id) },
    )
  }
  if (current && !isChanged) menuActions.push({ label: 'Save as…', icon: <BookmarkPlus />, run: () => setDialog('new') })
  if (current?.saved && isMine) {
    const { isShared } = current.saved
    const share = () => client.savedViews.update({ id: current.id, isShared: !isShared })
    menuActions.push(
      { label: 'Rename…', icon: <Pencil />, run: () => setDialog('rename') },
      {
        label: isShared ? 'Make private' : 'Share with everyone',
        icon: <Users />,
        run: () => void change(share, isShared ? `${current.name} is private` : `${current.name} is shared`, 'Nothing was changed'),
      },
      { label: 'Delete', icon: <Trash2 />, danger: true, run: () => void remove(current) },
    )
  }

  const inMenu = narrow ? [...changeActions.toReversed(), ...menuActions] : menuActions
  return (
    <>
      {!narrow &&
        changeActions.map(({ label, run }) => (
          <Button key={label} size="sm" variant={label === 'Save' ? 'outlined' : 'quiet'} onClick={run}>
            {label}
          </Button>
        ))}
      {inMenu.length > 0 && (
        <DropdownMenu trigger={<IconButton size="sm" label="View options" icon={<EllipsisVertical />} />}>
          {inMenu.map(({ label, icon, danger, run }) => (
            <Fragment key={label}>
              {danger && <MenuSeparator />}
              <MenuItem icon={icon} danger={danger} onSelect={run}>
                {label}
              </MenuItem>
            </Fragment>
          ))}
        </DropdownMenu>
      )}
      {dialog && (
        <ViewDialog
          view={dialog === 'rename' ? current : null}
          list={list}
          onClose={() => setDialog(null)}
          onSaved={(view) => {
            setDialog(null)
            void refresh()
            if (dialog === 'new') open(view)
          }}
        />
      )}
    </>
  )
}

/** Opens, changes, deletes and pins views, each with a toast that gives the result. */
function useViewChanges() {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [pinned, setPinned] = useState(defaultView)
  const refresh = () => cache.invalidateQueries({ queryKey: orpc.savedViews.key() })
  const open = (view: { id: string; list: ViewedList }, replace = false) =>
    void navigate({ to: '/contacts', search: { ...view.list, view: view.id }, replace })

  /** Runs an action and shows a toast with the result; a failure offers to retry. */
  async function change(action: () => Promise<unknown>, done: string, failed: string): Promise<void> {
    try {
      await action()
      toast.success(done)
    } catch (error) {
      toast.error(failed, messageOf(error), () => void change(action, done, failed))
    }
    await refresh()
  }
  async function remove({ id, name }: View): Promise<void> {
    try {
      await client.savedViews.delete({ id })
    } catch (error) {
      toast.error(`${name} was not deleted`, messageOf(error))
      return
    }
    if (defaultView() === id) pin(null)
    void navigate({ to: '/contacts', search: { view: 'all' } })
    await refresh()
    const restore = async () => open(await client.savedViews.restore({ id }))
    toast.undoable(`${name} was deleted`, () => void change(restore, `${name} was restored`, `${name} was not restored`))
  }
  function pin(id: string | null) {
    setDefaultView(id)
    setPinned(id)
  }

  return { pinned, pin, open, change, remove, refresh }
}
