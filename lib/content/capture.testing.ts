/** Pages for browser tests: each in a frame of its own, drawn and settled. */
export async function loadPage(html: string): Promise<Document> {
  const frame = document.createElement('iframe');
  frame.style.cssText = 'width:1000px;height:700px;border:0';
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  frame.srcdoc = html;
  document.body.replaceChildren(frame);
  await loaded;
  return frame.contentDocument!;
}

/** A page with this body. */
export function page(body: string, head = ''): Promise<Document> {
  return loadPage(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title>${head}</head><body>${body}</body></html>`,
  );
}
