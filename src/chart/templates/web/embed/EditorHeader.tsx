import { useEffect, useRef } from 'react'
import { CircleSlash, Ellipsis, Eye, EyeOff, RotateCcw } from 'lucide-react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { usePhone } from '../../../../ui/hooks/useMedia.ts'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'

interface EditorHeaderProps {
  /** Of the heading that names the editor. */
  id: string
  title: string
  /** 'form' */
  noun: 'form' | 'consent form'
  /** What publishing means. */
  hint: string
  isActive: boolean
  isPublished: boolean
  isUnpublished: boolean
  isDirty: boolean
  busy: 'save' | 'publish' | 'active' | null
  hasConflict: boolean
  showsPreview: boolean
  onPreview: (isShown: boolean) => void
  onSave: () => void
  onPublish: () => void
  onActive: (isActive: boolean) => void
  onTakeTheirs: () => void
}

/** The title, state and actions of an editor of templates, which stay in sight, and a conflict with someone else's changes. */
export function EditorHeader(props: EditorHeaderProps) {
  const { noun, isActive, isPublished, isUnpublished, busy, showsPreview } = props
  const isPhone = usePhone()
  const heading = useRef<HTMLHeadingElement>(null)
  const wasUnpublished = useRef(isUnpublished)
  useEffect(() => {
    // The row of the list that was pressed is gone.
    if (document.activeElement === document.body) heading.current?.focus()
  }, [])
  useEffect(() => {
    // The button that was pressed cannot be pressed again, and loses the focus.
    if (wasUnpublished.current && !isUnpublished) heading.current?.focus()
    wasUnpublished.current = isUnpublished
  }, [isUnpublished])
  const publish = noun === 'form' ? 'Publish form' : 'Publish consent form'
  const preview = {
    label: showsPreview ? 'Hide preview' : 'Show preview',
    icon: showsPreview ? <EyeOff /> : <Eye />,
    onClick: () => props.onPreview(!showsPreview),
  }
  return (
    <>
      <div className="sticky -top-6 z-1 flex flex-wrap items-center justify-between gap-x-3 gap-y-2 border-b border-line bg-surface py-3">
        <div className="flex min-w-0 items-center gap-3">
          <h2 ref={heading} id={props.id} tabIndex={-1} className="min-w-0 truncate text-lg font-semibold text-fg outline-none">
            {props.title}
          </h2>
          {!isActive ? (
            <Badge>Inactive</Badge>
          ) : isUnpublished ? (
            <Badge tone="warning">{isPublished ? 'Unpublished changes' : 'Draft'}</Badge>
          ) : (
            <Badge tone="success">Published</Badge>
          )}
        </div>
        <div className="flex gap-2 max-md:w-full">
          {isPhone ? (
            <IconButton {...preview} variant="outlined" size="lg" />
          ) : (
            <Button icon={preview.icon} onClick={preview.onClick}>
              {preview.label}
            </Button>
          )}
          <Button className="max-md:flex-1" busy={busy === 'save'} busyLabel="Saving…" disabled={!props.isDirty} onClick={props.onSave}>
            Save draft
          </Button>
          <Button
            variant="filled"
            className="max-md:flex-1"
            aria-label={isPhone ? publish : undefined}
            busy={busy === 'publish'}
            busyLabel="Publishing…"
            disabled={!isUnpublished}
            onClick={props.onPublish}
          >
            {isPhone ? 'Publish' : publish}
          </Button>
          {isPublished && (
            <DropdownMenu trigger={<IconButton label="More actions" variant="outlined" size="lg" icon={<Ellipsis />} />}>
              <MenuItem
                icon={isActive ? <CircleSlash /> : <RotateCcw />}
                disabled={busy !== null}
                onSelect={() => props.onActive(!isActive)}
              >
                {isActive ? 'Deactivate' : 'Activate'} {noun}
              </MenuItem>
            </DropdownMenu>
          )}
        </div>
      </div>
      <p className="max-w-[70ch] pt-3 text-sm text-fg-2">{props.hint}</p>
      {props.hasConflict && (
        <Alert
          tone="warning"
          className="mt-3"
          title={`Someone else has changed this ${noun}.`}
          action={<Button onClick={props.onTakeTheirs}>Discard my changes</Button>}
        >
          Your changes are kept on this page, but cannot be saved over theirs.
        </Alert>
      )}
    </>
  )
}
