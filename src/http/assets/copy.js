// Copies the text of the element a button names.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
  button.textContent = "Copied";
});

// A page that shows a fresh secret answered a form: reloading it must show the dashboard, not send the form again.
if (document.querySelector("button[data-copy]")) history.replaceState(null, "", "/dashboard");
