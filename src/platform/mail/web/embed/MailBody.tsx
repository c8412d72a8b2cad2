import { useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { useWidth } from '../../../../ui/hooks/useWidth.ts'
import { mailSandbox } from '../../frame-rules.ts'
import { partsOf } from './links.ts'
import { isTall, mailHeight } from './mail-height.ts'

interface MailBodyProps {
  text: string
  /** Sanitised HTML; null for a text-only email. */
  html: string | null
  /** Number of remote images. */
  remoteImages: number
  /** Address of the frame's document. */
  address: string
}

/** An email as its author saw it, in a sandboxed frame, or its text. */
export function MailBody({ text, html, remoteImages, address: plain }: MailBodyProps) {
  const [asText, setAsText] = useState(false)
  const [showsPictures, setShowsPictures] = useState(false)
  const [isWhole, setWhole] = useState(false)
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  const width = useWidth(frame)
  if (html === null) return <Words text={text} />
  const address = `${plain}${showsPictures ? '?pictures=shown' : ''}`
  return (
    <div ref={setFrame} className="flex flex-col gap-2">
      {asText ? (
        <Words text={text} />
      ) : (
        // Changing the frame's address would add a history entry.
        <iframe
          key={address}
          title="The email as it was sent"
          sandbox={mailSandbox}
          src={address}
          referrerPolicy="no-referrer"
          loading="lazy"
          style={{ height: mailHeight(html, { width, isWhole }) }}
          className="w-full rounded-sm"
        />
      )}
      <div className="flex flex-wrap items-center gap-x-1 gap-y-1 text-xs text-fg-3">
        {!asText && remoteImages > 0 && !showsPictures && (
          <>
            <span className="pr-1">
              {remoteImages === 1 ? '1 remote image is blocked for privacy.' : `${remoteImages} remote images are blocked for privacy.`}
            </span>
            <Button size="sm" variant="quiet" onClick={() => setShowsPictures(true)}>
              Show images
            </Button>
          </>
        )}
        {!asText && isTall(html, width) && (
          <Button size="sm" variant="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show less' : 'Show all'}
          </Button>
        )}
        <Button size="sm" variant="quiet" aria-pressed={asText} onClick={() => setAsText(!asText)}>
          {asText ? 'Show as sent' : 'Show as text'}
        </Button>
      </div>
    </div>
  )
}

/** About sixty lines. */
const longText = 6_000

function Words({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  if (text.trim() === '') return <p className="text-sm text-fg-3">No words</p>
  const isLong = text.length > longText
  return (
    <div>
      <p className="max-w-[80ch] text-sm break-words whitespace-pre-wrap text-fg">
        {partsOf(isLong && !isWhole ? `${text.slice(0, longText)}…` : text).map((part, index) =>
          'href' in part ? (
            // oxlint-disable-next-line no-array-index-key -- the words never change
            <a key={index} href={part.href} target="_blank" rel="noopener noreferrer nofollow" className="text-accent-fg underline">
              {part.text}
            </a>
          ) : (
            part.text
          ),
        )}
      </p>
      {isLong && (
        <Button size="sm" variant="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Show all'}
        </Button>
      )}
    </div>
  )
}
