import { useEffect, useRef } from "preact/hooks";
import { keyTable, shownKey } from "./keys.ts";

interface Props {
  readonly isOpen: boolean;
  readonly hasKeys: boolean;
  readonly onKeys: (on: boolean) => void;
  readonly onClose: () => void;
}

/** The keys, over the page. Whoever speaks to the computer, or types by accident, can switch them off. */
export function Help({ isOpen, hasKeys, onKeys, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen && !dialog.current!.open) dialog.current!.showModal();
    if (!isOpen && dialog.current!.open) dialog.current!.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={onClose}>
      <div class="help-head">
        <h2 id="help-title">Keys</h2>
        <button type="button" class="quiet" onClick={onClose}>
          Close <kbd>Esc</kbd>
        </button>
      </div>
      <div class="help-columns">
        {keyTable.map(({ title, rows }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {rows.map(({ action, keys, text }) => (
                <div key={action}>
                  <dt>
                    {keys.slice(0, 2).map((key) => (
                      <kbd key={key}>{shownKey(key)}</kbd>
                    ))}
                  </dt>
                  <dd>{text}</dd>
                </div>
              ))}
              {title.startsWith("Change") && (
                <div>
                  <dt>
                    <kbd>1</kbd>–<kbd>9</kbd>
                  </dt>
                  <dd>Choose a type; a span also with the mouse</dd>
                </div>
              )}
            </dl>
          </section>
        ))}
      </div>
      <label class="switch">
        <input type="checkbox" checked={hasKeys} onChange={(event) => onKeys(event.currentTarget.checked)} />
        Shortcuts of a single key
      </label>
    </dialog>
  );
}
