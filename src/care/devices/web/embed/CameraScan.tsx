import { useEffect, useEffectEvent, useState } from 'react'
import { useCamera } from '../../../../ui/hooks/useCamera.ts'
import { openScanner } from './scanner.ts'

/** Milliseconds between two looks at the camera's picture. */
const interval = 200

/** Shows the camera until it recognizes the code of a label. */
export default function CameraScan({ onScan }: { onScan: (text: string) => void }) {
  const { video, state } = useCamera()
  const [hasFailed, setFailed] = useState(false)
  const scanned = useEffectEvent(onScan)
  useEffect(() => {
    if (state !== 'on') return
    const opening = openScanner()
    let isOver = false
    async function look() {
      try {
        const scanner = await opening
        const [code] = !isOver && video.current ? await scanner.read(video.current) : []
        if (isOver) return
        if (code) return scanned(code)
        timer = setTimeout(() => void look(), interval)
      } catch {
        if (!isOver) setFailed(true)
      }
    }
    let timer = setTimeout(() => void look(), interval)
    return () => {
      isOver = true
      clearTimeout(timer)
      void opening.then(({ close }) => close()).catch(() => {})
    }
  }, [state, video])
  if (hasFailed)
    return (
      <p role="alert" className="pt-2 text-sm text-danger-fg">
        The camera can’t read codes now. Type the code, or reload the page and try again.
      </p>
    )
  if (state === 'denied' || state === 'none')
    return (
      <p role="alert" className="pt-2 text-sm text-danger-fg">
        {state === 'denied' ? 'The browser may not use the camera. Allow it, or type the code.' : 'No camera was found. Type the code.'}
      </p>
    )
  return <video ref={video} muted playsInline aria-label="Camera" className="mt-2 aspect-[4/3] w-full rounded-md bg-active object-cover" />
}
